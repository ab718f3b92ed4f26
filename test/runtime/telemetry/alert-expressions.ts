import type { Scrape, ScrapedSeries } from "../../support/prometheus-text.ts";

/** Two scrapes, the older one first: an `increase` is the difference between them. */
export type Scrapes = readonly [Scrape, Scrape];

const SELECTOR = String.raw`([a-z_]+)(?:\{([^}]*)\})?`;
const ABSENT = new RegExp(`^absent\\(${SELECTOR}\\)$`);
const COMPARED = new RegExp(`^${SELECTOR} (==|>|<) (\\d+)$`);
const INCREASED = new RegExp(`^increase\\(${SELECTOR}\\[\\d+[mh]\\]\\) > (\\d+)$`);

/**
 * Returns the series for which an alert's expression is true. Supports the forms of expression in the shipped alert
 * rules. For `absent`, the series has no labels.
 *
 * @throws {Error} for any other form.
 */
export function firing(expression: string, [before, now]: Scrapes): readonly ScrapedSeries[] {
  const absent = ABSENT.exec(expression);
  if (absent !== null) {
    const series = selected(now, absent[1], absent[2]);
    return series.length > 0 ? [] : [{ name: absent[1] ?? "", labels: {}, value: 1 }];
  }
  const compared = COMPARED.exec(expression);
  if (compared !== null) {
    const [, name, labels, operator, operand] = compared;
    return selected(now, name, labels).filter(({ value }) =>
      holds(value, operator ?? "", Number(operand)),
    );
  }
  const increased = INCREASED.exec(expression);
  if (increased === null) throw new Error(`no form of an alert: ${expression}`);
  const [, name, labels, operand] = increased;
  // As in Prometheus, a series that the earlier scrape does not have has no increase: it takes two samples.
  return selected(now, name, labels).filter(
    (one) => one.value - (before.value(one.name, one.labels) ?? one.value) > Number(operand),
  );
}

function holds(value: number, operator: string, operand: number): boolean {
  if (operator === "==") return value === operand;
  return operator === ">" ? value > operand : value < operand;
}

function selected({ series }: Scrape, name = "", labels = ""): readonly ScrapedSeries[] {
  const wanted = [...labels.matchAll(/([a-z_]+)="([^"]*)"/g)];
  return series.filter(
    (one) => one.name === name && wanted.every(([, key = "", value]) => one.labels[key] === value),
  );
}
