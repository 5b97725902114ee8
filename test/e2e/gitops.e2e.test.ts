import { playSituations } from "./gitops-situations";

playSituations("dynamic");
