import type { ClientSettings } from "../settings.ts";
import type { ApiResponse, CallOptions } from "./api-caller.ts";
import type { Endpoint } from "./endpoint.ts";
import type { CallInput } from "./request.ts";

/** What resources call the platform through. */
export interface Caller {
  readonly settings: Pick<ClientSettings, "dialect" | "clock">;
  /** @throws PlatformError, RateLimitError, UnreachableError, ProtocolError, CredentialError, UsageError */
  call(endpoint: Endpoint, input: CallInput, options?: CallOptions): Promise<ApiResponse>;
}
