"""Exact odds. Drawing games: `best.solve`, `best.live_values`, `strategy.best_chart`; a chart's
or a play's value: `strategy.value`. Side bets, progressives and three cards: the modules of their
names. Nothing is imported here, so that who asks for side bets compiles no solver.
"""
