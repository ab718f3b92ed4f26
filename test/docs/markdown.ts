/** A Markdown table. What Markdown would read as its own in a cell is escaped. */
export function table(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  rightFrom = heading.length,
): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(heading),
    line(heading.map((_, column) => (column < rightFrom ? "---" : "--:"))),
    ...rows.map((cells) => line(cells.map(escaped))),
  ].join("\n");
}

function escaped(cell: string): string {
  const text = cell.replaceAll("|", "\\|");
  return text.includes("`") ? text : text.replaceAll("<", "&lt;");
}

/** `text` with what stands between the markers of `name` replaced. */
export function withSection(text: string, name: string, section: string): string {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) {
    throw new Error(`there is no ${begin} … ${end}`);
  }
  return `${before}${begin}\n${section}\n${end}${after}`;
}
