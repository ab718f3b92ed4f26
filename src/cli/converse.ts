import { createParser } from "eventsource-parser";
import { fetch } from "undici";
import * as z from "zod";
import { createClient } from "../client/create-client.ts";
import type { Client } from "../client/client.ts";
import { ControlClient } from "../sandbox/index.ts";
import type { SandboxFile } from "./sandbox-file.ts";

export interface Conversation {
  readonly sandbox: SandboxFile;
  /** Who speaks, without `@`. */
  readonly username: string;
  readonly how: "dm" | "post" | "follow";
  readonly text: string;
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** What the bot said. */
export interface BotAnswer {
  readonly kind: "message" | "post";
  readonly id: string;
  readonly text: string;
}

const activity = z.object({
  data: z.object({
    kind: z.string(),
    by: z.string(),
    to: z.string().optional(),
    ref: z.string().optional(),
  }),
});

/**
 * Lets a person speak and listens for the bot's answer to them.
 *
 * @returns Undefined when none came within `waitMs`.
 */
export async function converse(talk: Conversation): Promise<BotAnswer | undefined> {
  const { sandbox, how, text } = talk;
  const control = new ControlClient(sandbox.controlUrl, sandbox.controlToken);
  const personId = await personFor(control, talk.username);
  const client = await clientFor(control, sandbox, personId);
  const ending = AbortSignal.any([talk.signal, AbortSignal.timeout(talk.waitMs)]);
  try {
    const answers = listen(sandbox, ending);
    await answers.next();
    const said = await control.act(
      personId,
      how === "dm"
        ? { type: "dm", to: sandbox.bot.id, text }
        : how === "post"
          ? { type: "post", text }
          : { type: "follow", user_id: sandbox.bot.id },
    );
    for await (const happened of answers) {
      if (happened === undefined || happened.by !== sandbox.bot.id) continue;
      const answer = await answerIn(happened, client, personId, said.id);
      if (answer !== undefined) return answer;
    }
    return undefined;
  } catch (error) {
    if (ending.aborted) return undefined;
    throw error;
  } finally {
    await client.close();
  }
}

type Activity = z.infer<typeof activity>["data"];

/** What happens in the sandbox from now on. The first value is undefined: the ear is open. */
async function* listen(
  { controlUrl, controlToken }: SandboxFile,
  signal: AbortSignal,
): AsyncGenerator<Activity | undefined, void, undefined> {
  const headers = { authorization: `Bearer ${controlToken}`, accept: "text/event-stream" };
  const answer = await fetch(`${controlUrl}/events`, { headers, signal });
  if (answer.body === null) return;
  const heard: Activity[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (event === "activity") heard.push(activity.parse(JSON.parse(data)).data);
    },
  });
  yield undefined;
  const decoder = new TextDecoder();
  for await (const chunk of answer.body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* heard.splice(0);
  }
}

/** The words of what the bot did, when it did it to this person. */
async function answerIn(
  { kind, to, ref }: Activity,
  client: Client<"oauth1">,
  personId: string,
  saidId: string,
): Promise<BotAnswer | undefined> {
  if (ref === undefined) return undefined;
  if (kind === "message" && to === personId) {
    const { data } = await client.dms.event(ref);
    return { kind: "message", id: ref, text: "text" in data ? data.text : "" };
  }
  if (kind !== "post") return undefined;
  const { data } = await client.posts.get(ref, { postFields: ["referenced_posts"] });
  const answers = data.referenced_posts?.some(({ id }) => id === saidId) === true;
  return answers ? { kind: "post", id: ref, text: data.text } : undefined;
}

async function personFor(control: ControlClient, username: string): Promise<string> {
  const { users } = await control.get<{ users: { id: string }[] }>(
    `/users?username=${encodeURIComponent(username)}`,
  );
  return users[0]?.id ?? control.user(username);
}

async function clientFor(
  control: ControlClient,
  { baseUrl, app }: SandboxFile,
  personId: string,
): Promise<Client<"oauth1">> {
  const tokens = await control.tokens(personId, app.id);
  return createClient({
    baseUrl,
    credentials: {
      type: "oauth1",
      consumerKey: app.consumerKey,
      consumerSecret: app.consumerSecret,
      accessToken: tokens.access_token,
      accessTokenSecret: tokens.access_token_secret,
    },
  });
}
