import type { ClientSettings } from "../settings.ts";
import type { ApiResponse, CallOptions, OpenOptions } from "./api-caller.ts";
import type { Endpoint } from "./endpoint.ts";
import type { CallInput } from "./request.ts";
import type { StreamedAnswer } from "./streamed-answer.ts";

/** What resources call the platform through. */
export interface Caller {
  readonly settings: Pick<ClientSettings, "dialect" | "clock" | "platformTime"> &
    Partial<Pick<ClientSettings, "closing">>;
  /** @throws PlatformError, RateLimitError, UnreachableError, ProtocolError, CredentialError, UsageError */
  call(endpoint: Endpoint, input: CallInput, options?: CallOptions): Promise<ApiResponse>;
  /** Opens an answer that goes on; absent where answers are kept, which one that goes on can't be. @throws the same */
  open?(endpoint: Endpoint, input: CallInput, options: OpenOptions): Promise<StreamedAnswer>;
}
