import * as z from "zod";
import { LOG_LEVELS } from "../run/step.ts";
import { text } from "../schema/pieces.ts";
import { defineStep } from "./step-kind.ts";
import { shownText, textPath } from "./written/written-text.ts";
import { example } from "../example.ts";

const levelled = z.strictObject({ level: z.enum(LOG_LEVELS).default("info"), message: text });

/** `log: TEXT` writes a line to the runtime's log. */
export const log = defineStep({
  example: example`
    actions:
      - log: { level: warn, message: "@\${{ sender.username }} wrote at night" }
  `,
  shape: { log: z.union([text, levelled]).describe("Write a line to the log.") },
  compile({ context, path, keys }) {
    const level = typeof keys.log === "object" ? keys.log.level : "info";
    const template = shownText(context, textPath([...path, "log"], keys.log, "message"));
    return (
      template && {
        perform({ view }) {
          const message = template.render(view);
          return message.ok
            ? { kind: "log", level, message: message.value }
            : { kind: "not-ready", message: message.error };
        },
      }
    );
  },
});
