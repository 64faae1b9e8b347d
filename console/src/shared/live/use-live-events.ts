import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { call, liveOpenFeed } from '@/shared/api';
import { socketAddress } from '@/shared/api/addresses';
import { markPolling } from '@/shared/api/polling';
import { notify } from '@/shared/lib/notices';
import { LiveSocket, type Topic } from './socket';
import { refresh, useAnnounced } from './topics';

function openFeed() {
  const { signal } = new AbortController();
  markPolling(signal);
  return call(liveOpenFeed({ body: {}, signal }));
}

/** Collects topics while the browser hides the page, so that a page in the back asks for nothing. */
class Attended {
  private readonly waiting = new Set<Topic>();

  constructor(private readonly client: QueryClient) {
    document.addEventListener('visibilitychange', this.flush);
  }

  add(topics: readonly Topic[]): void {
    for (const topic of topics) this.waiting.add(topic);
    this.flush();
  }

  stop(): void {
    document.removeEventListener('visibilitychange', this.flush);
  }

  private readonly flush = () => {
    if (document.hidden || this.waiting.size === 0) return;
    const topics = new Set(this.waiting);
    this.waiting.clear();
    refresh(this.client, topics);
  };
}

/**
 * Keeps one socket for the platform's events while the viewer is signed in. Without it pages ask every few seconds, as
 * their interval says.
 */
export function useLiveEvents(): void {
  const client = useQueryClient();
  const { t } = useTranslation();
  useEffect(() => {
    const attended = new Attended(client);
    let wasWarned = false;
    const socket = new LiveSocket(openFeed, socketAddress, {
      onLive: (isLive) => {
        useAnnounced.setState({ isLive });
        // What is shown was asked for before the announcements began.
        if (isLive) refresh(client);
        if (isLive) wasWarned = false;
      },
      onTopics: (topics) => attended.add(topics),
      onError: () => {
        // Once an outage: the next attempts are made by themselves.
        if (!wasWarned) notify('warning', t('terminal.logFailed'));
        wasWarned = true;
      },
    });
    return () => {
      socket.stop();
      attended.stop();
    };
  }, [client, t]);
}
