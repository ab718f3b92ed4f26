import { users } from "../accounts/entities.ts";
import type { World } from "../kernel/world.ts";
import { entitiesIn, type Found } from "../posts/entities-in-text.ts";
import type { Post } from "../posts/entities.ts";
import { type Metrics, metricsOf } from "../posts/metrics.ts";
import { wordsOf } from "../posts/terms.ts";

/** A post as clauses look at it; what costs something is worked out when first asked for. */
export class Facts {
  readonly world: World;
  readonly post: Post;
  #words: string[] | undefined;
  #found: Found[] | undefined;
  #metrics: Metrics | undefined;

  constructor(world: World, post: Post) {
    this.world = world;
    this.post = post;
  }

  get words(): readonly string[] {
    return (this.#words ??= wordsOf(this.post.text));
  }

  get entities(): readonly Found[] {
    return (this.#found ??= entitiesIn(this.post.text));
  }

  get metrics(): Metrics {
    return (this.#metrics ??= metricsOf(this.world, this.post));
  }

  has(kind: Found["kind"], word?: string): boolean {
    return this.entities.some(
      (one) => one.kind === kind && (word === undefined || one.word.toLowerCase() === word),
    );
  }

  /** Whether `id` is a user that goes by `name`: a username, with or without `@`, or an id. */
  isUser(id: string | undefined, name: string): boolean {
    return id !== undefined && id === userId(this.world, name);
  }
}

/** Id of the user that a search names by username, with or without `@`, or by id. */
export function userId(world: World, name: string): string | undefined {
  const wanted = name.replace(/^@/, "").toLowerCase();
  return users.in(world).first("username", wanted)?.id ?? users.in(world).get(wanted)?.id;
}

/** Whether `needle` stands in `words`, one word after the other. */
export function containsRun(words: readonly string[], needle: readonly string[]): boolean {
  if (needle.length === 0) return false;
  return words.some((_, at) => needle.every((word, offset) => words[at + offset] === word));
}
