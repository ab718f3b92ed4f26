import { Transform } from "node:stream";
import {
  isSpecType,
  ProtocolErrorCode,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
} from "@modelcontextprotocol/server";

/** JSON-RPC error answer to a line that is not a message. */
export interface LineFault {
  readonly jsonrpc: "2.0";
  /** Id of the request; null if the line has no valid one. */
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/**
 * Creates a stream that passes on lines with JSON-RPC messages. Other lines go to `refuse`, because the SDK's
 * transport drops them unanswered. A line that is longer than the transport reads ends the stream.
 */
export function messageLines(refuse: (fault: LineFault) => void): Transform {
  let rest = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _, done) {
      rest = Buffer.concat([rest, chunk]);
      for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
        const line = rest.subarray(0, end + 1);
        rest = rest.subarray(end + 1);
        const fault = faultOfLine(line.toString());
        if (fault === undefined) this.push(line);
        else refuse(fault);
      }
      if (rest.length > STDIO_DEFAULT_MAX_BUFFER_SIZE) {
        const reason = `Parse error: a line is longer than ${STDIO_DEFAULT_MAX_BUFFER_SIZE} bytes`;
        refuse(faultWith(null, ProtocolErrorCode.ParseError, reason));
        rest = Buffer.alloc(0);
        this.destroy();
      }
      done();
    },
  });
}

function faultOfLine(line: string): LineFault | undefined {
  if (line.trim() === "") return undefined;
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return faultWith(null, ProtocolErrorCode.ParseError, `Parse error: ${reason}`);
  }
  if (isSpecType.JSONRPCMessage(message)) return undefined;
  const id: unknown = Object(message).id;
  return faultWith(
    typeof id === "string" || typeof id === "number" ? id : null,
    ProtocolErrorCode.InvalidRequest,
    "Invalid Request: a line has to be one JSON-RPC 2.0 message",
  );
}

function faultWith(id: LineFault["id"], code: number, message: string): LineFault {
  return { jsonrpc: "2.0", id, error: { code, message } };
}
