import { entitiesOf, type TextEntity } from "../../protocol/public-text/entities.ts";
import { users } from "../model/accounts.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { type PostRow, type PostCounts, metricsOf } from "../model/posts.ts";
import { inheritedPrefix } from "../model/text/reply-prefix.ts";
import { wordsOf } from "../model/text/terms.ts";

/** Properties of a post that clauses test; costly values are computed when they are first read. */
export class PostFacts {
  readonly world: SandboxWorld;
  readonly post: PostRow;
  #words: string[] | undefined;
  #found: TextEntity[] | undefined;
  #metrics: PostCounts | undefined;

  constructor(world: SandboxWorld, post: PostRow) {
    this.world = world;
    this.post = post;
  }

  get words(): readonly string[] {
    return (this.#words ??= wordsOf(this.post.text));
  }

  get entities(): readonly TextEntity[] {
    return (this.#found ??= entitiesOf(inheritedPrefix(this.world, this.post) + this.post.text));
  }

  get metrics(): PostCounts {
    return (this.#metrics ??= metricsOf(this.world, this.post));
  }

  has(kind: TextEntity["kind"], word?: string): boolean {
    return this.entities.some(
      (one) => one.kind === kind && (word === undefined || one.word.toLowerCase() === word),
    );
  }

  /** Returns whether `id` is the user that `name` names: a username, with or without `@`, or an id. */
  isUser(id: string | undefined, name: string): boolean {
    return id !== undefined && id === findUserId(this.world, name);
  }
}

/** Returns the id of the user that a search names by username, with or without `@`, or by id. */
export function findUserId(world: SandboxWorld, name: string): string | undefined {
  const wanted = name.replace(/^@/, "").toLowerCase();
  return users.in(world).first("username", wanted)?.id ?? users.in(world).get(wanted)?.id;
}

/** Returns whether `words` contains `needle` as consecutive words. */
export function containsRun(words: readonly string[], needle: readonly string[]): boolean {
  if (needle.length === 0) return false;
  return words.some((_, at) => needle.every((word, offset) => words[at + offset] === word));
}
