export * from './group.model';
export * from './group.constant';
