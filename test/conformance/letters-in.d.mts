export const lettersIn: (text: string) => string[];
