import { PlatformError } from "../../../client/errors.ts";
import type { Candidate } from "./effect.ts";

/**
 * Finds the result of a deletion: the object with the id `platformId` if the platform does not show it any more.
 *
 * @param read Reads the object. An error of another kind than "not found" passes through.
 */
export async function deletedObject(
  platformId: string,
  read: () => Promise<unknown>,
): Promise<readonly Candidate[]> {
  try {
    await read();
    return [];
  } catch (error) {
    if (error instanceof PlatformError && error.notFound && !error.isFromProxy) {
      return [{ platformId }];
    }
    throw error;
  }
}
