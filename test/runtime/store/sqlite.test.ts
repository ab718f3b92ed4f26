import { describeStore } from "./contract.ts";
import { folderPlace } from "./place.ts";

describeStore("SQLite", () => folderPlace());
