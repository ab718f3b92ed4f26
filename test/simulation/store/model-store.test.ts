import { describeStore } from "../../runtime/store/contract.ts";
import { describeHoldingBack } from "../../runtime/store/holding-back-contract.ts";
import { describeEscalations } from "../../runtime/store/escalation-contract.ts";
import { describePresence } from "../../runtime/store/presence-contract.ts";
import { describeListening } from "../../runtime/store/listening-contract.ts";
import { describeRunEnds } from "../../runtime/store/run-end-contract.ts";
import { describeRunsOf } from "../../runtime/store/runs-of-contract.ts";
import { describeSlots } from "../../runtime/store/slots-contract.ts";
import { modelPlace } from "./model-place.ts";

describeStore("the simulation's model", modelPlace);
describeHoldingBack("the simulation's model", modelPlace);
describeListening("the simulation's model", modelPlace);
describeSlots("the simulation's model", modelPlace);
describeEscalations("the simulation's model", modelPlace);
describeRunsOf("the simulation's model", modelPlace);
describeRunEnds("the simulation's model", modelPlace);
describePresence("the simulation's model", modelPlace);
