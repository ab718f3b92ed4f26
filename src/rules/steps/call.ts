import { compileArgument } from "./written/step-argument.ts";
import { argument, text } from "../schema/pieces.ts";
import { defineStep } from "./step-kind.ts";
import { example } from "../example.ts";

const TARGET = /^(\.{1,2}\/[^#]+\.(?:ts|js|mjs))#([A-Za-z_$][\w$]*)$/;

/** `call: ./file.ts#function` runs a function of a TypeScript module with the argument `with`. */
export const call = defineStep({
  example: example`
    actions:
      - id: redeem
        call: ./codes.ts#redeem
        with: { code: "\${{ message.text }}", user: "\${{ sender.id }}" }
        timeout: 3s
      - reply_dm: \${{ steps.redeem.result }}
  `,
  shape: {
    call: text.describe("Call a function of a TypeScript module: ./file.ts#function"),
    with: argument,
  },
  triesAnew: true,
  compile({ context, path, keys }) {
    const [, module, name] = TARGET.exec(keys.call) ?? [];
    if (module === undefined || name === undefined) {
      const message = `"${keys.call}" does not name a function of a module`;
      const help = "write ./file.ts#function, the path starting from this file";
      return context.report([...path, "call"], { code: "call-target", message, help });
    }
    const argument = compileArgument(context.readingSecrets(), [...path, "with"], keys.with ?? {});
    context.callsFunction({ module, export: name, at: context.spot([...path, "call"]) });
    if (!argument) return undefined;
    return {
      perform({ view, file }) {
        const value = argument(view);
        if (!value.ok) return { kind: "not-ready", message: value.error };
        return { kind: "call", module, export: name, file, with: value.value };
      },
    };
  },
});
