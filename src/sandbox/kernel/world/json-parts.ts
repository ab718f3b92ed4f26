import type { SavedWorld } from "./sandbox-world.ts";

const ROWS_PER_PART = 500;

/** Yields a saved world as JSON text in parts, since the whole text may exceed the maximum length of a string. */
export function* jsonParts({ tables, ...header }: SavedWorld): Generator<string> {
  yield `${JSON.stringify(header).slice(0, -1)},"tables":{`;
  let before = "";
  for (const [name, rows] of Object.entries(tables)) {
    yield `${before}${JSON.stringify(name)}:[`;
    for (let at = 0; at < rows.length; at += ROWS_PER_PART) {
      const part = rows.slice(at, at + ROWS_PER_PART).map((row) => JSON.stringify(row));
      yield `${at === 0 ? "" : ","}${part.join(",")}`;
    }
    yield "]";
    before = ",";
  }
  yield "}}";
}
