import { createContext, useContext } from 'react';
import { type createBrowserRouter, RouterProvider } from 'react-router';

type Router = ReturnType<typeof createBrowserRouter>;

const RouterContext = createContext<Router | undefined>(undefined);

/** Draws what `router` leads to. */
export function RoutedPages({ router }: { router: Router }) {
  return (
    <RouterContext value={router}>
      <RouterProvider router={router} />
    </RouterContext>
  );
}

/** The router itself, whose `state.location` is where the viewer is now. What is drawn follows it a moment later. */
export function useRouter(): Router {
  const router = useContext(RouterContext);
  if (!router) throw new Error('Only what RoutedPages draws has a router');
  return router;
}
