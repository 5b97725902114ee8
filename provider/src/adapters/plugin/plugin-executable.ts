import { getAsset } from "node:sea";
import { runPlugin } from "./run-plugin";

// The provider plugin as an executable that brings its Node.js along.
void runPlugin((name) => getAsset(name, "utf8"));
