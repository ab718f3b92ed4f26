import type { ComponentChildren, VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Heading of a column, alone or with a style. The style `hidden` shows the heading only to screen readers. */
export type CardColumn =
  | string
  | VNode
  | readonly [heading: string, look: "number" | "hidden" | "nowrap" | "wide"];

interface CardTableProps {
  readonly label: string;
  readonly columns: readonly CardColumn[];
  readonly class?: string;
  /** Rows of the table. */
  readonly children: ComponentChildren;
}

/** A table whose rows become cards on a narrow screen. Each cell then shows the heading of its column. */
export function CardTable({ label, columns, class: name = "", children }: CardTableProps) {
  const ref = useRef<HTMLTableElement>(null);
  useLayoutEffect(() => {
    if (ref.current !== null) labelCells(ref.current);
  });
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label={label}>
      <table ref={ref} class={`cards ${name}`.trim()}>
        <thead>
          <tr>{columns.map(headingCell)}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function headingCell(column: CardColumn, at: number) {
  if (typeof column === "string" || "props" in column) return <th key={at}>{column}</th>;
  const [heading, look] = column;
  return look === "hidden" ? (
    <th key={at}>
      <span class="hidden-text">{heading}</span>
    </th>
  ) : (
    <th key={at} class={look}>
      {heading}
    </th>
  );
}

/** Copies the headings of columns into their cells, where the style sheet shows them on narrow screens. */
function labelCells(table: HTMLTableElement): void {
  const headings = [...(table.tHead?.rows[0]?.cells ?? [])].map(headingOf);
  for (const { cells } of [...table.tBodies].flatMap((body) => [...body.rows])) {
    let column = 0;
    for (const cell of cells) {
      const label = cell.colSpan > 1 ? "" : (headings[column] ?? "");
      if (cell.dataset["label"] !== label) cell.dataset["label"] = label;
      column += cell.colSpan;
    }
  }
}

/** Returns the text of a heading; empty if the text is hidden, as in a column of buttons. */
function headingOf(heading: HTMLTableCellElement): string {
  return heading.childElementCount > 0 ? "" : heading.textContent;
}
