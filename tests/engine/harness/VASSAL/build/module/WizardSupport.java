package VASSAL.build.module;

import java.awt.Image;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

import VASSAL.build.module.documentation.Tutorial;

/**
 * Stands in for the engine's set-up wizard, whose library is not here. It writes down what the wizard would have asked,
 * and answers only for the side, if a step names one.
 */
public class WizardSupport {
  /** Read by the engine's preferences. */
  public static final String WELCOME_WIZARD_KEY = "welcomeWizard";

  /** The titles of the steps that a player would have been asked, since the list was last emptied. */
  public static final List<String> ASKED = new ArrayList<>();

  /** Takes a side when a game starts, or null. */
  public static java.util.function.Consumer<PlayerRoster> chooseSide;

  public void addPredefinedSetup(PredefinedSetup setup) { }

  public void removePredefinedSetup(PredefinedSetup setup) { }

  public void setTutorial(Tutorial tutorial) { }

  public void showWelcomeWizard() { }

  public void setBackgroundImage(Image image) { }

  public void showGameSetupWizard() {
    final Iterator<GameSetupStep> steps =
      VASSAL.build.GameModule.getGameModule().getGameState().getUnfinishedSetupSteps();
    while (steps.hasNext()) {
      final GameSetupStep step = steps.next();
      ASKED.add(step.getStepTitle());
      if (step instanceof PlayerRoster && chooseSide != null) {
        chooseSide.accept((PlayerRoster) step);
      }
    }
  }
}
