import { type UserRow, users } from "../model/accounts.ts";
import { hiddenUserReason, hiddenPostReason, type HiddenReason } from "../model/hidden-reason.ts";
import { media } from "../model/media.ts";
import { places } from "../model/places.ts";
import { polls } from "../model/polls.ts";
import { type PostRow, posts } from "../model/posts.ts";
import { renderUser } from "./users.ts";
import { renderMedia } from "./media.ts";
import { renderPlace } from "./places.ts";
import { renderPoll } from "./polls.ts";
import { renderPost } from "./posts.ts";
import { type PartialError, partialErrorOf, type ResourceType } from "./partial-errors.ts";
import type { RenderContext } from "./render-context.ts";
import { pickFrom, type Selection, type WireObject } from "./selection.ts";

/** Expanded objects of one response, each once, and errors with the reasons why requested objects are missing. */
export class Includes {
  readonly #context: RenderContext;
  readonly #selection: Selection;
  readonly #objects = {
    users: new Map<string, WireObject>(),
    posts: new Map<string, WireObject>(),
    media: new Map<string, WireObject>(),
    polls: new Map<string, WireObject>(),
    places: new Map<string, WireObject>(),
    topics: new Map<string, WireObject>(),
  };
  readonly #errors = new Map<string, PartialError>();

  constructor(context: RenderContext, selection: Selection) {
    this.#context = context;
    this.#selection = selection;
  }

  /** Adds a visible user and returns the user's row. If the user is hidden, adds an error with the reason. */
  user(id: string, parameter: string): UserRow | undefined {
    const user = users.in(this.#context.world).get(id);
    const reason = hiddenUserReason(user);
    if (reason !== undefined) this.addHidden(reason, "user", parameter, id);
    if (reason !== undefined || user === undefined) return undefined;
    if (!this.#objects.users.has(id)) {
      this.#objects.users.set(id, renderUser(this.#context, user, this.#selection.fields.user));
    }
    return user;
  }

  /** Adds a visible post with the expanded fields, and returns its row. If the post is hidden, adds an error. */
  post(id: string, parameter: string, expanded: Iterable<string> = []): PostRow | undefined {
    const { world, viewer } = this.#context;
    const post = posts.in(world).get(id);
    const reason = hiddenPostReason(world, viewer, post);
    if (reason !== undefined) this.addHidden(reason, "post", parameter, id);
    if (reason !== undefined || post === undefined) return undefined;
    if (!this.#objects.posts.has(id)) {
      const selected = new Set([...this.#selection.fields.post, ...expanded]);
      this.#objects.posts.set(id, renderPost(this.#context, post, selected));
    }
    return post;
  }

  /** Adds a medium of a post, or of the message `messageId`. */
  media(id: string, messageId?: string): void {
    const mediaRow = media.in(this.#context.world).get(id);
    if (mediaRow === undefined) return;
    const selected = this.#selection.fields.media;
    const rendered = renderMedia(this.#context.baseUrl, mediaRow, messageId);
    this.#objects.media.set(id, pickFrom("media", selected, rendered));
  }

  poll(id: string): void {
    const pollRow = polls.in(this.#context.world).get(id);
    if (pollRow === undefined) return;
    this.#objects.polls.set(id, renderPoll(this.#context, pollRow, this.#selection.fields.poll));
  }

  place(id: string): void {
    const placeRow = places.in(this.#context.world).get(id);
    if (placeRow === undefined) return;
    this.#objects.places.set(id, renderPlace(placeRow, this.#selection.fields.place));
  }

  /** Adds a topic with its selected fields. `whole` has all fields of the topic. */
  topic(id: string, whole: WireObject): void {
    this.#objects.topics.set(id, pickFrom("topic", this.#selection.fields.topic, whole));
  }

  /** Adds an error with the reason why an object is missing from the response, once per parameter and object. */
  addHidden(reason: HiddenReason, resource: ResourceType, parameter: string, value: string): void {
    this.#errors.set(
      `${parameter} ${value}`,
      partialErrorOf(this.#context, reason, { resource, parameter, value }),
    );
  }

  /** Adds an error that concerns only a part of an object, such as a hidden field. */
  addError(problem: PartialError): void {
    this.#errors.set(`${problem.field ?? problem.parameter} ${problem.value}`, problem);
  }

  /** Returns `includes` and `errors` of the response; empty lists are left out. */
  body(): WireObject {
    const lists = Object.entries(this.#objects)
      .filter(([, objects]) => objects.size > 0)
      .map(([name, objects]) => [name, [...objects.values()]] as const);
    return {
      ...(lists.length === 0 ? {} : { includes: Object.fromEntries(lists) }),
      ...(this.#errors.size === 0 ? {} : { errors: [...this.#errors.values()] }),
    };
  }
}
