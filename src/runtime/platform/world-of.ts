import { fetch } from "undici";
import * as z from "zod";
import { UsageError } from "../../errors.ts";
import type { PlatformAccess } from "./clients.ts";
import type { World } from "../store/world-claim.ts";
import type { SandboxFile } from "./sandbox-file.ts";

const health = z.object({ world_id: z.string() });
const ANSWERS_WITHIN_MS = 5_000;

/**
 * Returns the world that a bot works in: a sandbox, or an app on the live platform. A store holds ids of one world
 * only.
 *
 * @throws {UsageError} if no sandbox answers at its control URL, or its response names no world.
 */
export async function worldOf(
  { baseUrl, consumerKey }: Pick<PlatformAccess, "baseUrl" | "consumerKey">,
  sandbox: Pick<SandboxFile, "controlUrl" | "controlToken"> | undefined,
): Promise<World> {
  if (sandbox === undefined) return { target: "live", baseUrl, consumerKey };
  const { controlUrl, controlToken } = sandbox;
  try {
    const answer = await fetch(`${controlUrl}/health`, {
      headers: { authorization: `Bearer ${controlToken}` },
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
    });
    return { target: "sandbox", worldId: health.parse(await answer.json()).world_id };
  } catch (error) {
    throw new UsageError(`no sandbox answers at ${controlUrl}`, {
      cause: error,
      hint: "start it: answerback sandbox, or answerback dev for sandbox and bot together",
    });
  }
}
