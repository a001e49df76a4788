export function answerSupervisor() {}
