import { MessagePort, workerData } from "node:worker_threads";
import type { FromThread, ToThread } from "./messages.ts";

/** Data that the host passes to a new thread. */
export interface ChannelData {
  port?: MessagePort;
  /** Number of the job whose handler is running synchronously, else 0. */
  atWork?: Int32Array;
}

/** Thread's side of the connection to the host. */
export interface PrivateChannel {
  readonly post: (message: FromThread) => void;
  readonly listen: (take: (message: ToThread) => void) => void;
  /** Marks the job that is running; 0 if none is. */
  readonly mark: (number: number) => void;
}

/**
 * Takes the channel to the host, before any user module is loaded.
 *
 * Any code in a thread can post to `parentPort`: a library's messages would reach the host, and
 * a bot could settle the jobs of others. The host therefore listens to a separate port that no module can find. It is
 * removed from `workerData` and from the handles that Node lists, and is not visible to message listeners.
 */
export function takeChannel(): PrivateChannel {
  const channelData: ChannelData = workerData ?? {};
  const { port, atWork } = channelData;
  if (port === undefined || atWork === undefined) {
    throw new Error("this module is started by the bot host, as a thread");
  }
  delete channelData.port;
  delete channelData.atWork;
  hideHandles();
  // Captured at load time: modules that replace these functions later see no messages.
  const post = MessagePort.prototype.postMessage.bind(port);
  const later = setImmediate;
  return {
    post: (message) => post(message, []),
    listen(take) {
      port.on("message", (message: ToThread) => {
        // In a separate turn: in this one, `executionAsyncResource()` would reveal the port.
        later(take, message);
      });
    },
    mark: (number) => void Atomics.store(atWork, 0, number),
  };
}

/** Hides the port from Node's list of open handles. */
function hideHandles(): void {
  for (const name of ["_getActiveHandles", "_getActiveRequests"]) {
    Object.defineProperty(process, name, { value: () => [] });
  }
}
