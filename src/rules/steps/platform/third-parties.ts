import { entitiesOf } from "../../../protocol/public-text/entities.ts";
import type { AccountEvent, Person, PostSnapshot } from "../../../events/event.ts";
import type { TextTemplate } from "../../expression/template.ts";
import type { StepRun } from "../../run/step.ts";

/**
 * Finds mentions and links that come into a public text by expressions, not from the rule's author: mentions of people
 * other than `answered`, and links that another person wrote in a name, a profile or a text.
 *
 * @param text Published text, rendered from `template`.
 * @param answered Handle of the person to whom the post replies, without `@`.
 * @returns Mentions as `@handle` and links as written, each once.
 */
export function broughtIn(
  template: TextTemplate,
  run: StepRun,
  text: string,
  answered: string | undefined,
): readonly string[] {
  if (template.expressions.length === 0) return [];
  const written = namesIn(template.pieces.filter((piece) => typeof piece === "string").join("\0"));
  const strangers = textsOfStrangers(run).map((one) => one.toLowerCase());
  const brought = namesIn(text).filter((name) => {
    if (written.includes(name)) return false;
    if (name.startsWith("@")) return name !== `@${answered?.toLowerCase()}`;
    return strangers.some((one) => one.includes(name));
  });
  return [...new Set(brought)];
}

/** Returns the mentions and links of a text, in lower case. */
function namesIn(text: string): string[] {
  return entitiesOf(text).flatMap(({ kind, word }) => {
    if (kind === "mention") return `@${word.toLowerCase()}`;
    return kind === "url" ? word.toLowerCase() : [];
  });
}

/** Returns the texts that people other than the author of the rule have written. */
function textsOfStrangers({ event, view }: StepRun): string[] {
  const derivedTexts = [view["captures"], view["steps"], view["state"]].flatMap(textsIn);
  return [...eventTexts(event), ...derivedTexts];
}

function eventTexts(event: AccountEvent): string[] {
  const people = "sender" in event ? personTexts(event.sender) : [];
  if (event.kind === "message") return [...people, event.message.text];
  return "post" in event ? [...people, ...postTexts(event.post)] : people;
}

function postTexts({
  author,
  text,
  fullText,
  formerText,
  quoted,
  reposted,
}: PostSnapshot): string[] {
  const own = [text, fullText, formerText].flatMap((one) => one ?? []);
  const others = [quoted, reposted].flatMap((one) => (one === undefined ? [] : postTexts(one)));
  return [...personTexts(author), ...own, ...others];
}

function personTexts({ name, username, description, location, url }: Person): string[] {
  return [name, username, description, location, url].flatMap((one) => one ?? []);
}

/** Collects all strings inside a value, such as a person's answer or user state. Skips `result`, `json`, `error`. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  const entries: readonly (readonly [unknown, unknown])[] =
    value instanceof Map ? [...value] : Object.entries(value);
  return entries.flatMap(([key, inner]) =>
    key === "result" || key === "json" || key === "error" ? [] : textsIn(inner),
  );
}
