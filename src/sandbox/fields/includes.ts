import { type User, users } from "../accounts/entities.ts";
import { renderUser } from "../accounts/render.ts";
import { unseenUser } from "../accounts/visible.ts";
import { media } from "../media/entities.ts";
import { renderMedia } from "../media/render.ts";
import { places } from "../places/entities.ts";
import { renderPlace } from "../places/render.ts";
import { polls } from "../polls/entities.ts";
import { renderPoll } from "../polls/render.ts";
import { type Post, posts } from "../posts/entities.ts";
import { renderPost } from "../posts/render.ts";
import { unseenPost } from "../posts/visible.ts";
import { type Problem, problemOf, type Resource, type Unseen } from "./problems.ts";
import type { Reader } from "./reader.ts";
import { pickFrom, type Selection } from "./selection.ts";

type Wire = Record<string, unknown>;

/** The expanded objects of one answer, each once, and why others are not among them. */
export class Includes {
  readonly #reader: Reader;
  readonly #selection: Selection;
  readonly #held = {
    users: new Map<string, Wire>(),
    posts: new Map<string, Wire>(),
    media: new Map<string, Wire>(),
    polls: new Map<string, Wire>(),
    places: new Map<string, Wire>(),
  };
  readonly #problems = new Map<string, Problem>();

  constructor(reader: Reader, selection: Selection) {
    this.#reader = reader;
    this.#selection = selection;
  }

  /** Adds a user; gives it when it is to be seen. */
  user(id: string, parameter: string): User | undefined {
    const user = users.in(this.#reader.world).get(id);
    const why = unseenUser(user);
    if (why !== undefined) this.problem(why, "user", parameter, id);
    if (why !== undefined || user === undefined) return undefined;
    if (!this.#held.users.has(id)) {
      this.#held.users.set(id, renderUser(this.#reader, user, this.#selection.fields.user));
    }
    return user;
  }

  /** Adds a post, with fields that expansions bring along; gives it when it is to be seen. */
  post(id: string, parameter: string, brought: Iterable<string> = []): Post | undefined {
    const { world, viewer } = this.#reader;
    const post = posts.in(world).get(id);
    const why = unseenPost(world, viewer, post);
    if (why !== undefined) this.problem(why, "post", parameter, id);
    if (why !== undefined || post === undefined) return undefined;
    if (!this.#held.posts.has(id)) {
      const selected = new Set([...this.#selection.fields.post, ...brought]);
      this.#held.posts.set(id, renderPost(this.#reader, post, selected));
    }
    return post;
  }

  media(id: string): void {
    const found = media.in(this.#reader.world).get(id);
    if (found === undefined) return;
    const selected = this.#selection.fields.media;
    this.#held.media.set(id, pickFrom("media", selected, renderMedia(found)));
  }

  poll(id: string): void {
    const found = polls.in(this.#reader.world).get(id);
    if (found === undefined) return;
    this.#held.polls.set(id, renderPoll(this.#reader, found, this.#selection.fields.poll));
  }

  place(id: string): void {
    const found = places.in(this.#reader.world).get(id);
    if (found === undefined) return;
    this.#held.places.set(id, renderPlace(found, this.#selection.fields.place));
  }

  /** Tells why an object is not in the answer, once for each. */
  problem(why: Unseen, resource: Resource, parameter: string, value: string): void {
    this.#problems.set(
      `${parameter} ${value}`,
      problemOf(this.#reader, why, { resource, parameter, value }),
    );
  }

  /** Adds a problem that is not about an object as a whole. */
  tell(problem: Problem): void {
    this.#problems.set(`${problem.field ?? problem.parameter} ${problem.value}`, problem);
  }

  /** `includes` and `errors` of the answer; what is empty is left out. */
  body(): Wire {
    const lists = Object.entries(this.#held)
      .filter(([, held]) => held.size > 0)
      .map(([name, held]) => [name, [...held.values()]] as const);
    return {
      ...(lists.length === 0 ? {} : { includes: Object.fromEntries(lists) }),
      ...(this.#problems.size === 0 ? {} : { errors: [...this.#problems.values()] }),
    };
  }
}
