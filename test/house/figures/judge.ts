import { FIGURE_NAMES, type FigureName, type HouseFigures } from "./figures.ts";

/** Figures with their bounds. */
export interface HouseVerdict {
  /** Figures over their bounds. */
  readonly exceeded: readonly FigureName[];
  /** Figures below their bounds, which can be lowered. */
  readonly slack: readonly FigureName[];
  /** Table of all figures, one line each. */
  readonly table: string;
  /** Advice for each figure that differs from its bound. */
  readonly advice: readonly string[];
}

/** Upper bound of each figure. */
export type HouseBounds = Readonly<Record<FigureName, number>>;

/** Compares figures with their bounds. */
export function judge(figures: HouseFigures, bounds: HouseBounds): HouseVerdict {
  const rows = FIGURE_NAMES.map((name) => ({
    name,
    value: figures[name].value,
    bound: bounds[name],
    hasPlaces: figures[name].places !== undefined,
  }));
  const over = rows.filter(({ value, bound }) => value > bound);
  const under = rows.filter(({ value, bound }) => value < bound);
  return {
    exceeded: over.map(({ name }) => name),
    slack: under.map(({ name }) => name),
    table: [
      ["figure", "now", "bound"],
      ...rows.map(({ name, value, bound }) => [name, value, bound]),
    ]
      .map(([name, now, bound]) => `${String(name).padEnd(24)}${column(now)}${column(bound)}\n`)
      .join(""),
    advice: [
      ...over.map(
        ({ name, value, bound, hasPlaces }) =>
          `${name} is ${value}, over its bound ${bound}${hasPlaces ? `; list the places with: npm run -s house -- --list ${name}` : ""}`,
      ),
      ...under.map(
        ({ name, value, bound }) =>
          `${name} is ${value}, below its bound ${bound}: lower the bound in test/house/figures/bounds.ts`,
      ),
    ],
  };
}

function column(text: string | number | undefined): string {
  return String(text).padStart(8);
}
