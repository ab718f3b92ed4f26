import { createHash, randomBytes } from "node:crypto";
import type { ConsoleRole } from "./sessions.ts";

/** Invitation that signs in one browser once: by its token or by its code. */
export interface Invitation {
  /** Token for programs; valid for a minute. */
  readonly token: string;
  /** Code for people to type, such as `7KQ2-M9XP`; valid for an hour. It is in no address and on no command line. */
  readonly code?: string;
}

interface InvitationNeeds {
  /** Whether the invitation has a code besides its token. Programs need none, and may request many. @default true */
  readonly withCode?: boolean;
  /** Called once the token was used or has expired. */
  readonly onSpent?: (() => void) | undefined;
}

/** Result for a token or a code: a role, or the reason why it is refused. */
export type Redeemed = ConsoleRole | "void" | "too-many";

/** Invitations that were not used yet. They live as long as the process. */
export interface Invitations {
  create(role: ConsoleRole, needs?: InvitationNeeds): Invitation;
  redeemToken(token: string): Redeemed;
  redeemCode(code: string): Redeemed;
  close(): void;
}

export const TOKEN_MS = 60_000;
export const CODE_MS = 3_600_000;
/** Maximum open invitations; a further one discards the oldest. */
const MAX_INVITATIONS = 1_000;
/** Maximum wrong codes within a minute, from all senders. Further codes are refused unread: a code has 40 bits. */
const MAX_WRONG_CODES = 10;
const WRONG_CODES_MS = 60_000;

interface OpenInvitation {
  readonly role: ConsoleRole;
  readonly tokenHash: string;
  readonly codeHash: string | undefined;
  readonly tokenUntil: number;
  readonly until: number;
  readonly spent: () => void;
}

export function openInvitations(now: () => number): Invitations {
  const open = new Set<OpenInvitation>();
  let wrongCodes: readonly number[] = [];
  const drop = (invitation: OpenInvitation): void => {
    open.delete(invitation);
    invitation.spent();
  };
  const use = (invitation: OpenInvitation | undefined): Redeemed => {
    if (invitation === undefined) return "void";
    drop(invitation);
    return invitation.role;
  };
  return {
    create(role, { withCode = true, onSpent } = {}) {
      for (const each of open) {
        if (each.until <= now() || open.size >= MAX_INVITATIONS) drop(each);
      }
      const token = randomBytes(32).toString("base64url");
      const code = withCode ? freshCode() : undefined;
      const timer = setTimeout(() => onSpent?.(), TOKEN_MS).unref();
      open.add({
        role,
        tokenHash: hashOf(token),
        codeHash: code === undefined ? undefined : hashOf(lettersOf(code)),
        tokenUntil: now() + TOKEN_MS,
        until: now() + (withCode ? CODE_MS : TOKEN_MS),
        spent() {
          clearTimeout(timer);
          onSpent?.();
        },
      });
      return { token, ...(code !== undefined && { code }) };
    },
    redeemToken(token) {
      const hash = hashOf(token);
      return use([...open].find((one) => one.tokenHash === hash && now() < one.tokenUntil));
    },
    redeemCode(code) {
      wrongCodes = wrongCodes.filter((at) => now() - at < WRONG_CODES_MS);
      if (wrongCodes.length >= MAX_WRONG_CODES) return "too-many";
      const hash = hashOf(lettersOf(code));
      const redeemed = use([...open].find((one) => one.codeHash === hash && now() < one.until));
      if (redeemed === "void") wrongCodes = [...wrongCodes, now()];
      return redeemed;
    },
    close() {
      for (const each of open) drop(each);
    },
  };
}

/** Digits and letters without I, L, O and U, which are mistaken for others. */
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

function freshCode(): string {
  const code = Array.from(randomBytes(8), (byte) => LETTERS[byte & 31]).join("");
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** Normalizes a code: removes spaces and dashes, and corrects commonly mistaken letters. */
function lettersOf(code: string): string {
  return code
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
