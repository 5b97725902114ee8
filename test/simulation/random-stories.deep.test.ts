import { testRandomStories } from "./random-suite";

testRandomStories(Number(process.env.SIMULATION_STORIES ?? 5000));
