import { UsageError } from "../../errors.ts";
import type { LocalSandbox } from "../target/sandbox-control.ts";
import type { SandboxEvent } from "../../sandbox/control/objects.ts";

/** A message or post with which the bot answers. */
export interface BotAnswer {
  readonly kind: "message" | "post";
  readonly id: string;
  readonly text: string;
}

export type InteractionKind = "dm" | "post" | "follow";

/** An input to the bot: a person's message, post or follow, with its key in the bot's journal. */
export interface SaidToBot {
  readonly kind: InteractionKind;
  /** User id of the bot's account. */
  readonly account: string;
  readonly person: string;
  /** Prefix of the key of the input's journal entry. */
  readonly keyBegins: string;
}

/** A sandbox user who writes to the bot and recognises its answers. */
export interface Speaker {
  readonly username: string;
  /** Sends a message, publishes a post or follows the bot. */
  send(kind: InteractionKind, text: string): Promise<SaidToBot>;
  /** Returns the bot's answer to this user; undefined if `event` is something else. */
  answerIn(event: SandboxEvent): BotAnswer | undefined;
}

const KEYS: Readonly<Record<InteractionKind, (createdId: string, person: string) => string>> = {
  dm: (createdId) => `message:${createdId}`,
  post: (createdId) => `post:${createdId}`,
  // only the start of the key: a follow's key ends with its time, which is not known here
  follow: (_, person) => `follow:${person}>`,
};

/**
 * Returns the sandbox user with a handle; creates the user if missing.
 *
 * @throws {UsageError} for the bot's own handle: the bot's message to itself would be taken for its answer.
 */
export async function speakerFor(sandbox: LocalSandbox, handle: string): Promise<Speaker> {
  const { bot } = sandbox.file;
  const { id, username } = await sandbox.person(handle);
  if (id === bot.id) {
    throw new UsageError(`@${username} is the bot itself`, {
      hint: "name the person who writes, such as @ana",
    });
  }
  const sent = new Set<string>();

  return {
    username,
    async send(kind, text) {
      const actResult = await sandbox.act(
        id,
        kind === "dm"
          ? { type: "dm", to: bot.id, text }
          : kind === "post"
            ? { type: "post", text }
            : { type: "follow", user_id: bot.id },
      );
      sent.add(actResult.id);
      return { kind, account: bot.id, person: id, keyBegins: KEYS[kind](actResult.id, id) };
    },
    answerIn({ type, data }) {
      const { kind, by, to, ref, text, refers_to: refersTo } = data;
      if (type !== "activity" || by !== bot.id || typeof ref !== "string") return undefined;
      const said = { id: ref, text: typeof text === "string" ? text : "" };
      if (kind === "message" && to === id) return { kind, ...said };
      if (kind !== "post" || !Array.isArray(refersTo)) return undefined;
      if (!refersTo.some((post) => sent.has(post))) return undefined;
      // later posts of a chain reply to the chain's previous post
      sent.add(ref);
      return { kind, ...said };
    },
  };
}
