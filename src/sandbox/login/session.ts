import { type User, users } from "../accounts/entities.ts";
import { equalText } from "../auth/equal.ts";
import type { Call } from "../kernel/route.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type Session, sessions } from "./entities.ts";
import { isOver, SESSION_MS, sweep } from "./lifetimes.ts";

/** Somebody signed in at the platform's pages. */
export interface Visitor {
  readonly session: Session;
  readonly user: User;
}

const COOKIE = "sandbox_session";

/** Who the request's cookie says is signed in, if anybody. */
export function visitorOf({ sandbox, headers }: Call): Visitor | undefined {
  const { world, time } = sandbox;
  const id = cookieValue(headers["cookie"] ?? "");
  const session = id === undefined ? undefined : sessions.in(world).get(id);
  if (session === undefined || isOver(session.createdAt, SESSION_MS, time.now())) return undefined;
  const user = users.in(world).get(session.userId);
  return user === undefined ? undefined : { session, user };
}

/** The user of a name or email address and password, if they belong together. */
export function userBy({ world }: Sandbox, name: string, password: string): User | undefined {
  const wanted = name.trim().replace(/^@/, "").toLowerCase();
  const user =
    users.in(world).first("username", wanted) ??
    (wanted.includes("@") ? byEmail(world, wanted) : undefined);
  return user !== undefined && equalText(user.password, password) ? user : undefined;
}

function byEmail(world: Sandbox["world"], email: string): User | undefined {
  for (const user of users.in(world).all()) if (user.email.toLowerCase() === email) return user;
  return undefined;
}

/**
 * Signs a user in, under a session id that no earlier page knew.
 *
 * @returns the `Set-Cookie` value. Lax lets the cookie come along when an app sends people here.
 */
export function signIn({ world, time }: Sandbox, user: User): string {
  sweep(world, sessions, (row) => row.id, SESSION_MS, time.now());
  const { id } = sessions.in(world).put({
    id: world.random.letters(40),
    userId: user.id,
    formKey: world.random.letters(40),
    createdAt: time.now(),
  });
  return `${COOKIE}=${id}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${SESSION_MS / 1000}`;
}

function cookieValue(header: string): string | undefined {
  for (const part of header.split(";")) {
    const [name, value] = part.trim().split("=");
    if (name === COOKIE) return value;
  }
  return undefined;
}
