import { testCrashPoints } from "./crash-suite";

testCrashPoints(1);
