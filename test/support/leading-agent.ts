import { Agent } from "node:https";
import { connect, type Socket } from "node:net";

/**
 * Agent that sends a client's requests to the live hosts to a server on this machine instead.
 *
 * The connection uses plain HTTP. The client still sends and signs the URL of the live host.
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
