import { MessagePort, workerData } from "node:worker_threads";
import type { FromThread, ToThread } from "./messages.ts";

/** What a thread is started with. */
export interface ChannelData {
  port?: MessagePort;
  /** One number: of the job whose handler runs just now without giving the thread a turn, else 0. */
  atWork?: Int32Array;
}

/** The way between host and thread, in the thread. */
export interface PrivateChannel {
  readonly post: (message: FromThread) => void;
  readonly listen: (take: (message: ToThread) => void) => void;
  /** Marks the job that runs from now on; 0 for none. */
  readonly mark: (number: number) => void;
}

/**
 * Takes the channel that the thread was started with, before any module of the user's is loaded.
 *
 * `parentPort` belongs to everybody in a thread: a library that posts to it would be heard by the host, and
 * a bot could settle the jobs of others. So the host listens to a port of its own, which no module finds:
 * it is gone from `workerData`, from the handles that Node lists, and from what runs a message's listener.
 */
export function takeChannel(): PrivateChannel {
  const given: ChannelData = workerData ?? {};
  const { port, atWork } = given;
  if (port === undefined || atWork === undefined) {
    throw new Error("this module is started by the bot host, as a thread");
  }
  delete given.port;
  delete given.atWork;
  hideHandles();
  // Found now: a module that puts its own function in their place later gets nothing to see.
  const post = MessagePort.prototype.postMessage.bind(port);
  const later = setImmediate;
  return {
    post: (message) => post(message, []),
    listen(take) {
      port.on("message", (message: ToThread) => {
        // In a turn of its own: in this one, `executionAsyncResource()` is the port.
        later(take, message);
      });
    },
    mark: (number) => void Atomics.store(atWork, 0, number),
  };
}

/** Node lists what is open in a thread, and the port with it. */
function hideHandles(): void {
  for (const name of ["_getActiveHandles", "_getActiveRequests"]) {
    Object.defineProperty(process, name, { value: () => [] });
  }
}
