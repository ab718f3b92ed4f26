import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface CardTableProps {
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A table whose rows are cards on a narrow screen, each cell with the heading of its column. */
export function CardTable({ class: name = "", children }: CardTableProps) {
  const ref = useRef<HTMLTableElement>(null);
  useLayoutEffect(() => {
    if (ref.current !== null) labelCells(ref.current);
  });
  return (
    <table ref={ref} class={`cards ${name}`.trim()}>
      {children}
    </table>
  );
}

/** Writes the heading of each column into its cells, where the style sheet reads it. */
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

/** A heading that has no text to see, as of a column of buttons, is no label. */
function headingOf(heading: HTMLTableCellElement): string {
  return heading.childElementCount > 0 ? "" : heading.textContent;
}
