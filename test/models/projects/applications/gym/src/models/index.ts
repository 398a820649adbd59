export { Member, MemberModel, Plan } from './member.model';
export { Trainer, TrainerModel } from './trainer.model';
