import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Comment, CommentTag, Converter } from "typedoc";

/**
 * Groups the API pages by task: what an entry point exports stands under the comment above it, in the order in which
 * the entry point has them.
 *
 * @param {import("typedoc").Application} app
 */
export function load(app) {
  app.converter.on(
    Converter.EVENT_RESOLVE_BEGIN,
    ({ project }) => {
      for (const file of app.options.getValue("entryPoints")) {
        const folder = /src\/(?:(.+)\/)?index\.ts$/.exec(file)?.[1];
        const name = folder === undefined ? "answerback" : `answerback/${folder}`;
        const headings = headingsOf(file);
        const module = project.children?.find((one) => one.name === name);
        if (module === undefined) throw new Error(`${file} is no module ${name}`);
        for (const child of module.children ?? []) {
          const heading = headings.get(child.name);
          if (heading === undefined) throw new Error(`${file}: no heading above ${child.name}`);
          for (const reflection of [child, ...(child.signatures ?? [])]) {
            reflection.comment ??= new Comment();
            const text = { kind: /** @type {const} */ ("text"), text: heading };
            reflection.comment.blockTags.push(new CommentTag("@category", [text]));
          }
        }
      }
    },
    1_000,
  );
}

/**
 * The comment that stands above each name that an entry point exports.
 *
 * @param {string} file
 */
function headingsOf(file) {
  /** @type {Map<string, string>} */
  const headings = new Map();
  let heading = "";
  const text = readFileSync(file, "utf8");
  const pieces = text.matchAll(
    /^\/\/ (.+)$|^export (?:type )?(?:\{([^}]*)\}|(\*)) from "(.+)";$/gm,
  );
  for (const [, comment, named, all, from = ""] of pieces) {
    if (comment !== undefined) heading = comment;
    if (named !== undefined) {
      for (const one of named.split(",")) {
        const name = one.trim().split(/\s+/).at(-1);
        if (name) headings.set(name, heading);
      }
    }
    if (all !== undefined) {
      const path = resolve(dirname(file), from);
      for (const [name, within] of headingsOf(path)) headings.set(name, within);
      const source = readFileSync(path, "utf8");
      for (const [, name = ""] of source.matchAll(/^export (?:interface|type|const) (\w+)/gm)) {
        headings.set(name, heading);
      }
    }
  }
  return headings;
}
