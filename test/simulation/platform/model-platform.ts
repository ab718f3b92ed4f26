import type { Draws } from "../time/draws.ts";

/** A message or a post of the account. */
export interface Made {
  readonly id: string;
  readonly kind: "message" | "post";
  /** Recipient of the message, or author of the answered post. */
  readonly to: string;
  readonly text: string;
  readonly inReplyTo?: string;
  /** Creation time by the platform's clock. */
  readonly at: number;
  /** Times from which lists contain it: by the platform's clock or the monotonic clock, whichever is reached first. */
  readonly shownAt: { readonly platform: number; readonly monotonic: number };
}

/** Response of the platform. */
export interface PlatformAnswer {
  readonly status: number;
  readonly body: object;
}

export interface PlatformNeeds {
  readonly account: string;
  readonly draws: Draws;
  /** The platform's clock, in milliseconds since the epoch; faults may set it. */
  readonly now: () => number;
  /** Monotonic clock, in milliseconds: faults do not set it. */
  readonly monotonic: () => number;
  /** People who accept no messages. */
  readonly refusing: ReadonlySet<string>;
  readonly onMade: (content: Made) => void;
}

/** Messages and posts of the platform, and the endpoints of its API that the outbox calls. */
export class ModelPlatform {
  /** Messages and posts in the order of their creation. */
  readonly content: Made[] = [];
  readonly likes = new Set<string>();
  readonly follows = new Set<string>();
  readonly #needs: PlatformNeeds;
  #id = 7_000_000;

  constructor(needs: PlatformNeeds) {
    this.#needs = needs;
  }

  newId(): string {
    this.#id += 1;
    return String(this.#id);
  }

  /** @param at Time at which the request is executed. */
  answer(method: string, path: string, body: Fields, at: number): PlatformAnswer {
    const [, , first = "", second = "", third = "", fourth = ""] = path.split("/");
    switch (`${method} ${first}/${fourth || third}`) {
      case "POST dm_conversations/messages":
        return this.#send(third, textOf(body["text"]), at);
      case "GET dm_conversations/dm_events":
        return list(this.#shown("message", third).map((message) => this.#asMessage(message)));
      case "POST posts/":
        return this.#post(body, at);
      case "GET users/posts":
        return list(this.#shown("post").map((post) => this.#asPost(post)));
      case "POST users/likes":
        this.likes.add(textOf(body["tweet_id"]));
        return okAnswer({ liked: true });
      case "GET users/liked_posts":
        return list([...this.likes].reverse().map((id) => ({ id, text: "a post" })));
      case "POST users/following":
        this.follows.add(textOf(body["target_user_id"]));
        return okAnswer({ following: true, pending_follow: false });
      case `GET users/${second}`:
        return okAnswer({
          id: second,
          name: second,
          username: `user_${second}`,
          connection_status: this.follows.has(second) ? ["following"] : [],
        });
      default:
        throw new Error(`the model platform does not know ${method} ${path}`);
    }
  }

  #send(to: string, text: string, at: number): PlatformAnswer {
    if (this.#needs.refusing.has(to)) return refusal("You cannot send messages to this user.");
    const { id } = this.#make({ kind: "message", to, text }, at);
    return okAnswer({ dm_conversation_id: `${this.#needs.account}-${to}`, dm_event_id: id });
  }

  #post(body: Fields, at: number): PlatformAnswer {
    const text = textOf(body["text"]);
    const reply = body["reply"];
    const inReplyTo = textOf(
      typeof reply === "object" && reply !== null && "in_reply_to_tweet_id" in reply
        ? reply.in_reply_to_tweet_id
        : undefined,
    );
    const { id } = this.#make({ kind: "post", to: "", text, inReplyTo }, at);
    return okAnswer({ id, text });
  }

  #make(what: Pick<Made, "kind" | "to" | "text" | "inReplyTo">, at: number): Made {
    const { draws, monotonic } = this.#needs;
    const delay = draws.between(0, 900);
    const shownAt = { platform: at + delay, monotonic: monotonic() + delay };
    const content = { ...what, id: this.newId(), at, shownAt };
    this.content.push(content);
    this.#needs.onMade(content);
    return content;
  }

  /** Lists the visible messages or posts, newest first. */
  #shown(kind: Made["kind"], to?: string): Made[] {
    const platform = this.#needs.now();
    const monotonic = this.#needs.monotonic();
    return this.content
      .filter((one) => one.kind === kind)
      .filter(({ shownAt }) => shownAt.platform <= platform || shownAt.monotonic <= monotonic)
      .filter((one) => to === undefined || one.to === to)
      .reverse();
  }

  #asMessage({ id, to, text, at }: Made): object {
    const { account } = this.#needs;
    return {
      id,
      event_type: "MessageCreate",
      text,
      created_at: wholeSecond(at),
      dm_conversation_id: `${account}-${to}`,
      sender_id: account,
    };
  }

  #asPost({ id, text, at, inReplyTo }: Made): object {
    const referenced = [{ type: "replied_to", id: inReplyTo }];
    return {
      id,
      text,
      created_at: wholeSecond(at),
      ...(inReplyTo !== undefined && { referenced_posts: referenced }),
    };
  }
}

type Fields = Readonly<Record<string, unknown>>;

function okAnswer(data: object): PlatformAnswer {
  return { status: 200, body: { data } };
}

function list(data: readonly object[]): PlatformAnswer {
  return { status: 200, body: { data, meta: { result_count: data.length } } };
}

function refusal(detail: string): PlatformAnswer {
  return {
    status: 403,
    body: { type: "about:blank", title: "Forbidden", status: 403, detail },
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Formats a time as the platform does, in whole seconds. */
function wholeSecond(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}.000Z`;
}
