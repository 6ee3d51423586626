// What can be opened from anywhere on the page.
import { createContext, useContext } from 'react';

export interface Actions {
  compose: (to: readonly string[]) => void;
  spawn: () => void;
  help: () => void;
}

export const ActionsContext = createContext<Actions>({ compose: () => {}, spawn: () => {}, help: () => {} });
export const useActions = (): Actions => useContext(ActionsContext);
