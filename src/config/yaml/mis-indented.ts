import { beginningOf, type Beginning, isIdle, type Line, linesUpFrom } from "./yaml-lines.ts";
import type { Trap } from "./trap.ts";

/** Explains why the line at `offset` is wrongly indented; `undefined` if its indentation is right. */
export function misIndented(text: string, offset: number): Trap | undefined {
  const [line, ...above] = linesUpFrom(text, offset);
  const own = line && beginningOf(line.text);
  if (!line || !own) return undefined;
  const levels = levelsAbove(above);
  const nearest = levels[0];
  if (nearest?.opens === true && nearest.column < own.indent) return undefined;
  const same = levels.filter((level) => level.column === own.indent);
  if (same.some((level) => level.isItem === own.isItem)) return undefined;
  const item = same.find((level) => level.isItem);
  if (item) return withoutDash(line, own, item);
  const meant = own.isItem
    ? levels.find((level) => level.isItem)
    : levels
        .filter((level) => !level.isItem)
        .sort((a, b) => Math.abs(a.column - own.indent) - Math.abs(b.column - own.indent))[0];
  return meant && misplaced(line, own, meant);
}

/** Column in which a line above begins. The examined line could begin in the same column. */
interface Level {
  readonly column: number;
  readonly isItem: boolean;
  readonly line: number;
  /** Whether the line ends with a key whose value is below. */
  readonly opens: boolean;
}

/** Returns the columns in which the line after the lines `above` may begin, nearest line first. */
function levelsAbove(above: readonly Line[]): Level[] {
  const levels: Level[] = [];
  let limit = Infinity;
  for (const { text, number } of above) {
    const beginning = isIdle(text) ? undefined : beginningOf(text);
    if (!beginning || beginning.indent >= limit) continue;
    limit = beginning.indent;
    const opens = /:\s*$/.test(text);
    const { indent, inner, isItem } = beginning;
    levels.push({ column: inner, isItem: false, line: number, opens });
    if (isItem) levels.push({ column: indent, isItem, line: number, opens });
    if (indent === 0) break;
  }
  return levels;
}

function misplaced(line: Line, own: Beginning, level: Level): Trap {
  const start = line.start + own.indent;
  const name = own.token === "-" ? "this item" : `"${own.token.slice(0, -1)}"`;
  const side = own.indent < level.column ? "left" : "right";
  return {
    start,
    end: start + (own.token === "-" ? 1 : own.token.length - 1),
    mistake: {
      code: "mis-indented",
      message: `${name} is too far to the ${side}: nothing above begins in column ${own.indent + 1}`,
      help: `start it in column ${level.column + 1}, in line with line ${level.line}`,
    },
  };
}

function withoutDash(line: Line, own: Beginning, level: Level): Trap {
  const start = line.start + own.indent;
  const name = own.token.slice(0, -1);
  return {
    start,
    end: start + name.length,
    mistake: {
      code: "missing-dash",
      message: `"${name}" is aligned with the items of a list, but is not an item (line ${level.line})`,
      help: `start it with "- ":  - ${line.text.trim()}`,
    },
  };
}
