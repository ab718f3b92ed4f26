import type { ClientSettings } from "../settings.ts";
import type { ApiResponse, CallOptions, OpenOptions } from "./api-caller.ts";
import type { Endpoint } from "./endpoint.ts";
import type { CallInput } from "./request.ts";
import type { StreamedAnswer } from "./streamed-answer.ts";

/** Interface through which resources call the platform. */
export interface Caller {
  readonly settings: Pick<ClientSettings, "dialect" | "clock" | "platformTime"> &
    Partial<Pick<ClientSettings, "closing">>;
  /**
   * Makes a call.
   *
   * @throws PlatformError, RateLimitError, UnreachableError, ProtocolError, CredentialError, UsageError
   */
  call(endpoint: Endpoint, input: CallInput, options?: CallOptions): Promise<ApiResponse>;
  /**
   * Opens a streaming response. Absent if the caller records its responses: a stream can't be recorded.
   *
   * @throws PlatformError, RateLimitError, UnreachableError, CredentialError, UsageError
   */
  open?(endpoint: Endpoint, input: CallInput, options: OpenOptions): Promise<StreamedAnswer>;
}
