import { Agent } from "node:https";
import { connect, type Socket } from "node:net";

/**
 * Leads a client that knows only the live hosts to a server on this machine.
 *
 * It speaks plain HTTP there; the client goes on believing in its own URL and signs for it.
 */
export class LeadingAgent extends Agent {
  readonly #port: number;

  constructor(url: string) {
    super();
    this.#port = Number(new URL(url).port);
  }

  override createConnection(): Socket {
    return connect(this.#port, "127.0.0.1");
  }
}
