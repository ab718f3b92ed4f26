import type { ErrorReason } from "../../../protocol/reasons.ts";

/** Format of an error body: API v2, version 1.1, advertising interface, or control interface. */
export type ErrorStyle = "v2" | "v1" | "ads" | "control";

export interface ApiErrorSpec {
  readonly status: number;
  /** Code in the control interface's body. In capitals, also the advertising code unless `ads` is set. */
  readonly code: string;
  readonly message: string;
  /** `title` of a v2 problem. */
  readonly title?: string;
  /** Last part of the v2 problem's `type` URL. If absent, `type` is `about:blank`. */
  readonly problem?: string;
  /** Further keys of a v2 body, such as `errors`. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Numeric error code in a version 1.1 body; 214 by default. */
  readonly v1?: number;
  /** Error code in an advertising body; by default `code` in capitals. */
  readonly ads?: string;
  /** Further keys of the entry in `errors` of an advertising body. */
  readonly adsExtra?: Readonly<Record<string, unknown>>;
  /** Whole body, for endpoints with another error format, such as OAuth 2.0. A string is sent as plain text. */
  readonly raw?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error response. Thrown by rules and handlers, written by the server. */
export class ApiError extends Error {
  readonly spec: ApiErrorSpec;

  constructor(spec: ApiErrorSpec) {
    super(spec.message);
    this.name = "ApiError";
    this.spec = spec;
  }

  /** Creates an error of the control interface; its body is `{error: {code, message}}`. */
  static control(status: number, code: string, message: string): ApiError {
    return new ApiError({ status, code, message });
  }

  /** Creates a 500. */
  static internal(code: string, message: string): ApiError {
    return new ApiError({
      status: 500,
      code,
      message,
      title: "Internal Server Error",
      v1: 131,
      ads: "INTERNAL_ERROR",
    });
  }

  /** Creates a 400 of webhooks and account activity, where `errors[].message` is `<ErrorReason>: <Details>`. */
  static reason(reason: ErrorReason, details: string): ApiError {
    return ApiError.invalid([{ message: `${reason}: ${details}` }], reason);
  }

  /** Creates a 400 of API v2, with one entry in `errors` per invalid part of the request. */
  static invalid(
    errors: readonly {
      message: string;
      parameters?: Readonly<Record<string, readonly string[]>>;
    }[],
    code = "invalid_request",
  ): ApiError {
    return new ApiError({
      status: 400,
      code,
      message: errors[0]?.message ?? "One or more parameters to your request was invalid.",
      title: "Invalid Request",
      problem: "invalid-request",
      extra: { errors, detail: "One or more parameters to your request was invalid." },
    });
  }

  /** Creates the 400 of API v2 for one invalid parameter. */
  static parameter(name: string, value: string, message: string): ApiError {
    return ApiError.invalid([{ parameters: { [name]: [value] }, message }]);
  }

  static unauthorized(v1 = 32, message = "Could not authenticate you."): ApiError {
    return new ApiError({
      status: v1 === 215 ? 400 : 401,
      code: "unauthorized",
      message,
      title: "Unauthorized",
      extra: { detail: "Unauthorized", status: 401 },
      v1,
      ads: "UNAUTHORIZED_ACCESS",
    });
  }

  static forbidden(message: string, spec: Partial<ApiErrorSpec> = {}): ApiError {
    return new ApiError({ status: 403, code: "forbidden", title: "Forbidden", message, ...spec });
  }

  /** Creates the 404 for a missing entity. The v2 body also names the entity's type, the parameter and its value. */
  static notFound(resource: string, parameter: string, value: string): ApiError {
    const detail = `Could not find ${resource} with ${parameter}: [${value}].`;
    return new ApiError({
      status: 404,
      code: "not_found",
      message: detail,
      title: "Not Found Error",
      problem: "resource-not-found",
      v1: 34,
      ads: "NOT_FOUND",
      extra: { resource_type: resource, resource_id: value, parameter, value },
    });
  }
}

/** Messages of the live service by its version 1.1 error code. They replace the error's own message. */
const V1_MESSAGES: Readonly<Record<number, string>> = {
  34: "Sorry, that page does not exist.",
  88: "Rate limit exceeded",
  93: "This application is not allowed to access or delete your direct messages.",
  186: "Tweet needs to be a bit shorter.",
  187: "Status is a duplicate.",
  220: "Your credentials do not allow access to this resource.",
  261: "Application cannot perform write actions.",
  433: "The original Tweet author restricted who can reply to this Tweet.",
};

/**
 * Returns the body of an error in a style, which depends on the path of the request.
 *
 * @param origin Origin that the client used; `type` URLs of problems begin with it.
 */
export function errorBody(spec: ApiErrorSpec, style: ErrorStyle, origin: string): unknown {
  if (spec.raw !== undefined) return spec.raw;
  switch (style) {
    case "control":
      return { error: { code: spec.code, message: spec.message } };
    case "v1": {
      const code = spec.v1 ?? 214;
      return { errors: [{ code, message: V1_MESSAGES[code] ?? spec.message }] };
    }
    case "ads":
      return {
        errors: [
          { code: spec.ads ?? spec.code.toUpperCase(), message: spec.message, ...spec.adsExtra },
        ],
        request: { params: {} },
      };
    case "v2":
      return {
        title: spec.title ?? "Invalid Request",
        detail: spec.message,
        type: spec.problem === undefined ? "about:blank" : `${origin}/2/problems/${spec.problem}`,
        // The platform sends the problem `invalid-request` without a `status`.
        ...(spec.problem === "invalid-request" ? {} : { status: spec.status }),
        ...spec.extra,
      };
  }
}
