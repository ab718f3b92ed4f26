import { constantTimeEqual } from "../../../system/constant-time-equal.ts";
import { DEFAULT_PASSWORD, type UserRow, users } from "../../model/accounts.ts";
import type { RouteCall } from "../../server/route.ts";
import type { Sandbox } from "../../kernel/sandbox.ts";
import { type SessionRow, sessions } from "../../model/login.ts";
import { isExpired, SESSION_MS, deleteExpired } from "../lifetimes.ts";

/** A person signed in at the platform's pages. */
export interface Visitor {
  readonly session: SessionRow;
  readonly user: UserRow;
}

const COOKIE = "sandbox_session";

/** Returns the signed-in person of the request's cookie, if any. */
export function visitorOf({ sandbox, headers }: RouteCall): Visitor | undefined {
  const { world, time } = sandbox;
  const id = cookieValue(headers["cookie"] ?? "");
  const session = id === undefined ? undefined : sessions.in(world).get(id);
  if (session === undefined || isExpired(session.createdAt, SESSION_MS, time.now()))
    return undefined;
  const user = users.in(world).get(session.userId);
  return user === undefined ? undefined : { session, user };
}

/** Returns the user with a name or email address, if the password is right. */
export function userByPassword(
  { world }: Sandbox,
  name: string,
  password: string,
): UserRow | undefined {
  const wanted = name.trim().replace(/^@/, "").toLowerCase();
  const user =
    users.in(world).first("username", wanted) ??
    (wanted.includes("@") ? byEmail(world, wanted) : undefined);
  return user !== undefined && constantTimeEqual(user.password, password) ? user : undefined;
}

/** Finds a person with the default password. This password is public, so the page does not ask for it. */
export function knownPerson({ world }: Sandbox, username: string): UserRow | undefined {
  const user = users.in(world).first("username", username.toLowerCase());
  return user?.password === DEFAULT_PASSWORD ? user : undefined;
}

/** Returns up to `most` people with the default password, the earliest created first. */
export function knownPeople({ world }: Sandbox, most: number): readonly UserRow[] {
  const knownUsers: UserRow[] = [];
  for (const user of users.in(world).all()) {
    if (knownUsers.length === most) break;
    if (user.password === DEFAULT_PASSWORD) knownUsers.push(user);
  }
  return knownUsers;
}

function byEmail(world: Sandbox["world"], email: string): UserRow | undefined {
  for (const user of users.in(world).all()) if (user.email.toLowerCase() === email) return user;
  return undefined;
}

/**
 * Signs a user in, under a new session id.
 *
 * @returns the `Set-Cookie` value. With `SameSite=Lax` the cookie is sent also when an app redirects people to a page.
 */
export function signIn({ world, time }: Sandbox, user: UserRow): string {
  deleteExpired(world, sessions, (row) => row.id, SESSION_MS, time.now());
  const { id } = sessions.in(world).put({
    id: world.random.alphanumeric(40),
    userId: user.id,
    formKey: world.random.alphanumeric(40),
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
