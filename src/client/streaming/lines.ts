import { StringDecoder } from "node:string_decoder";

/**
 * The lines of a stream, without their ends; an empty one says that the stream is alive.
 *
 * What comes after the last line end is left out: the stream broke within it.
 *
 * @throws what `chunks` throws, after the lines before.
 */
export async function* linesOf(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<string, void, undefined> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  for await (const chunk of chunks) {
    const parts = (rest + decoder.write(chunk)).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) yield part.endsWith("\r") ? part.slice(0, -1) : part;
  }
}
