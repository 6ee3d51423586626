// Keeps a part of the page that fails to itself: the rest stays, and the part says so in its own place.
import { Component, type ReactNode } from 'react';
import { sentence } from '../api/request.js';

interface Props {
  // What stands in its place.
  failed: (failure: { reason: string; again: () => void }) => ReactNode;
  children: ReactNode;
}

type State = { at: 'fine' } | { at: 'failed'; reason: string };

export class Boundary extends Component<Props, State> {
  override state: State = { at: 'fine' };

  static getDerivedStateFromError(error: unknown): State {
    return { at: 'failed', reason: sentence(error) };
  }

  readonly #again = (): void => this.setState({ at: 'fine' });

  override render(): ReactNode {
    const { state, props } = this;
    return state.at === 'fine' ? props.children : props.failed({ reason: state.reason, again: this.#again });
  }
}
