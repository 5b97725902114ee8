// The pauses before another attempt of a call have random lengths, from nothing to two seconds.
Math.random = () => 0;
