import { playSituations } from "./gitops-situations";

// With the program of docs/review.md: YAML over the plugin.
playSituations("plugin");
