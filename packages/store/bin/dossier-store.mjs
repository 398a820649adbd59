#!/usr/bin/env node
// The store as a command of its own; see docs/store.md.
import '../dist/store/command.js';
