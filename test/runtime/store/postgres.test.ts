import { describeStore } from "./contract.ts";
import { describeCoverage } from "./coverage-contract.ts";
import { describeHoldingBack } from "./holding-back-contract.ts";
import { describeEscalations } from "./escalation-contract.ts";
import { describeListening } from "./listening-contract.ts";
import { describeRunsOf } from "./runs-of-contract.ts";
import { describeSlots } from "./slots-contract.ts";
import { describePresence } from "./presence-contract.ts";
import { postgresPlace } from "./postgres-place.ts";

describeStore("PostgreSQL", () => postgresPlace());
describeCoverage("PostgreSQL", () => postgresPlace());
describeHoldingBack("PostgreSQL", () => postgresPlace());
describeListening("PostgreSQL", () => postgresPlace());
describeSlots("PostgreSQL", () => postgresPlace());
describeEscalations("PostgreSQL", () => postgresPlace());
describeRunsOf("PostgreSQL", () => postgresPlace());
describePresence("PostgreSQL", () => postgresPlace());
