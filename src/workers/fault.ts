/** Failures of a start, as they pass from a worker to its primary. */
import { projectError, type ProjectFaults, projectFaults } from '../start/faults.ts';

/** A failure as plain data: faults of settings and model files, or the message of another error. */
export type Fault = ProjectFaults | { readonly message: string };

export const faultOf = (error: unknown): Fault =>
  projectFaults(error) ?? { message: error instanceof Error ? error.message : String(error) };

export const errorOf = (fault: Fault): Error => ('message' in fault ? new Error(fault.message) : projectError(fault));
