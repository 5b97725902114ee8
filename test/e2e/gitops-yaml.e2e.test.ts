import { playSituations } from "./gitops-situations";

// With the program of docs/review.md: YAML with the plugin.
playSituations("plugin");
