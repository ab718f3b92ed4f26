import { callRuntime, RuntimeConnection } from "../../src/runtime/control/call.ts";
import type { Answers, Requests } from "../../src/runtime/control/contract.ts";
import { type OperationName, ROUTES } from "../../src/runtime/control/routes.ts";

/** Calls to the running bot of a folder, over connections that stay open between calls. */
export interface BotCalls {
  /** Returns the bot's answer; undefined if no bot runs. */
  call<Name extends OperationName>(
    name: Name,
    request: Requests[Name],
  ): Promise<Answers[Name] | undefined>;
  /** Closes idle connections; later calls open new ones. */
  hangUp(): void;
}

/**
 * Creates calls that keep their connection for reading, because tests poll often: on a new connection the bot first
 * proves its identity, which takes more than half of a call. Calls that change something get a new connection, because
 * they can't be repeated after a lost one.
 */
export function botCalls(folder: string): BotCalls {
  const idle: RuntimeConnection[] = [];
  return {
    async call(name, request) {
      if (ROUTES[name].method !== "GET") return callRuntime(folder, name, request);
      const connection = idle.pop() ?? new RuntimeConnection(folder);
      try {
        // If the bot has closed the connection since the last call, the first attempt fails and the second reconnects.
        return (await connection.call(name, request)) ?? (await connection.call(name, request));
      } finally {
        idle.push(connection);
      }
    },
    hangUp() {
      for (const connection of idle.splice(0)) connection.close();
    },
  };
}
