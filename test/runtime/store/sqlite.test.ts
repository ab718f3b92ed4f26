import { describeStore } from "./contract.ts";
import { describeCoverage } from "./coverage-contract.ts";
import { describeHoldingBack } from "./holding-back-contract.ts";
import { describeEscalations } from "./escalation-contract.ts";
import { describeListening } from "./listening-contract.ts";
import { describeRunsOf } from "./runs-of-contract.ts";
import { describeSlots } from "./slots-contract.ts";
import { describePresence } from "./presence-contract.ts";
import { folderPlace } from "./place.ts";

describeStore("SQLite", () => folderPlace());
describeCoverage("SQLite", () => folderPlace());
describeHoldingBack("SQLite", () => folderPlace());
describeListening("SQLite", () => folderPlace());
describeSlots("SQLite", () => folderPlace());
describeEscalations("SQLite", () => folderPlace());
describeRunsOf("SQLite", () => folderPlace());
describePresence("SQLite", () => folderPlace());
