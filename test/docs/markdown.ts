/** Formats a Markdown table, and escapes characters that Markdown would interpret in a cell. */
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

/** Returns `text` with a new content between the markers of `name`. */
export function withSection(text: string, name: string, section: string): string {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) {
    throw new Error(`there is no ${begin} … ${end}`);
  }
  return `${before}${begin}\n${section}\n${end}${after}`;
}
